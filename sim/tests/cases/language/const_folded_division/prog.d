BEGIN { printf("%d", 7 / 2 * 2); exit(0); }
