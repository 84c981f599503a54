BEGIN { printf("%d", N); exit(0); }
