BEGIN { printf("%d", 1 << 40); exit(0); }
