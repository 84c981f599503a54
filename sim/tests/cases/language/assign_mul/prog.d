BEGIN { x = 7; x *= 3; printf("%d", x); exit(0); }
