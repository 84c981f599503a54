BEGIN { printf("%d", 6 & 3 == 3); exit(0); }
