BEGIN { x = 2; printf("%d", x == 1 ? 10 : x == 2 ? 20 : 30); exit(0); }
