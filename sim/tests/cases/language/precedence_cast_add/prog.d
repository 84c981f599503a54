BEGIN { printf("%d", (char)1 + 256); exit(0); }
