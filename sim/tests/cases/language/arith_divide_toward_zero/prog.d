BEGIN { x = -7; printf("%d", -7 / 2); exit(0); }
