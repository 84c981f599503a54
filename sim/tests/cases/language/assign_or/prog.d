BEGIN { x = 5; x |= 2; printf("%d", x); exit(0); }
