BEGIN { x = 1; if (x == 1) x = 2; else x = 3; printf("%d", x); exit(0); }
