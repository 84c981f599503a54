BEGIN { x = 0; y = 0 && x++; printf("%d", x); exit(0); }
