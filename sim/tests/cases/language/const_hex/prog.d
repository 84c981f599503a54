BEGIN { printf("%d", 0xff); exit(0); }
