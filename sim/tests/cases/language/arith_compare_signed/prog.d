BEGIN { x = -1; printf("%d", x < 0); exit(0); }
