BEGIN { printf("%d", (1, 2, 3)); exit(0); }
