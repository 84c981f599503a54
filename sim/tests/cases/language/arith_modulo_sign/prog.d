BEGIN { x = -7; y = 2; printf("%d", x % y); exit(0); }
