BEGIN { x = 1; X = 2; printf("%d", X - x); exit(0); }
