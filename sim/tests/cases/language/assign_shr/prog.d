BEGIN { x = 56; x >>= 3; printf("%d", x); exit(0); }
