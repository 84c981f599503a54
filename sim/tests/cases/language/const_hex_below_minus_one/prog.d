BEGIN { printf("%d", (long)-1 < 0xffffffff); exit(0); }
