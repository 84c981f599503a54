BEGIN { x = 0; if (1) if (x) printf("a"); else printf("b"); exit(0); }
