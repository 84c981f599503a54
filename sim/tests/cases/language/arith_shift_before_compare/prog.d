BEGIN { printf("%d", 1 << 2 < 5); exit(0); }
