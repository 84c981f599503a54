BEGIN { printf("%d %d", 1,, 2); }
