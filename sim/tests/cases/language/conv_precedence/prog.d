BEGIN { printf("%d", (char)256 + 1); exit(0); }
