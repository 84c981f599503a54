BEGIN { printf("%d %d %x", 1, 2); }
