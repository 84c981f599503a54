BEGIN { printf("%d", 4294967295 - 4294967296 < 0); exit(0); }
