BEGIN { printf("%d", 3 > 2 > 1); exit(0); }
