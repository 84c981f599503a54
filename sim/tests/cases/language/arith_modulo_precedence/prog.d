BEGIN { printf("%d", 20 - 7 % 4 * 2); exit(0); }
