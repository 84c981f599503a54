BEGIN { x = -7; printf("%d", x >> 1); exit(0); }
