BEGIN { printf("%d", 017); exit(0); }
