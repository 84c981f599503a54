BEGIN { x = 0; y = 1 || x++; printf("%d", x); exit(0); }
