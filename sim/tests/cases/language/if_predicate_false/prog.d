BEGIN /0/ { if (1) printf("a"); else printf("b"); }
BEGIN { printf("c"); exit(0); }
