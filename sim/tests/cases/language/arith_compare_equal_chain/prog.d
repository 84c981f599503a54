BEGIN { printf("%d", 2 == 2 == 1); exit(0); }
