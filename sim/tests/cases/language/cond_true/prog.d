BEGIN { printf("%d", 1 < 2 ? 10 : 20); exit(0); }
