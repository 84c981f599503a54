BEGIN { x = 0; if (x) printf("a"); printf("b"); exit(0); }
