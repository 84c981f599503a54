BEGIN { printf("%d", 100 / 10 / 5); exit(0); }
