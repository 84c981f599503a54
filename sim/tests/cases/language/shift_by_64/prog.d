BEGIN { n = 64; printf("%d", (1 << n) == 1 || (1 << n) == 0); exit(0); }
