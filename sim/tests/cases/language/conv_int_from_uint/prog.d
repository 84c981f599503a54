BEGIN { printf("%d", (int)0xffffffff); exit(0); }
