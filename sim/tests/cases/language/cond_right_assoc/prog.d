BEGIN { printf("%d", 1 ? 2 : 0 ? 3 : 4); exit(0); }
