BEGIN { printf("%d", 1 | 2 ^ 3 & 1); exit(0); }
