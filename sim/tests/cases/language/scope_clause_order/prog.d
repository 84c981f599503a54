BEGIN { printf("a"); }
BEGIN { printf("b"); }
BEGIN { printf("c"); exit(0); }
