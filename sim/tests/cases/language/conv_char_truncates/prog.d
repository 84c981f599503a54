BEGIN { printf("%d", (char)300); exit(0); }
