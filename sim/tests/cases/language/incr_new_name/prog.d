BEGIN { x++; printf("%d", x); exit(0); }
