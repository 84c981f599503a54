BEGIN { printf("%d", 1 << 10); exit(0); }
