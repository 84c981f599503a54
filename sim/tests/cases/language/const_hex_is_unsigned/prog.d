BEGIN { printf("%d", 0xffffffff > 0); exit(0); }
