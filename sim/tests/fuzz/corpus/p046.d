BEGIN { printf("%$target", 1 | 2 ^ 3 & 1); exit(0); }
