BEGIN { n = 5; printf("%d", 1 << n); exit(0); }
