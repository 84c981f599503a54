BEGIN { printf("%d", 6 & 2 == 2); exit(0); }
