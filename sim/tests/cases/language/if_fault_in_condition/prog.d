BEGIN { i = 0; if (1 / i) printf("a"); else printf("b"); printf("c"); }
BEGIN { printf("d"); exit(0); }
