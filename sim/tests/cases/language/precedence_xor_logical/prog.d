BEGIN { printf("%d %d", 1 && 0 ^^ 1, 1 || 1 ^^ 1 && 0 ? 0 : 1); exit(0); }
