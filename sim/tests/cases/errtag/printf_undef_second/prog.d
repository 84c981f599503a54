BEGIN { printf("%d %b", 1, 2); }
