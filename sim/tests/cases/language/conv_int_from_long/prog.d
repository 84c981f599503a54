BEGIN { printf("%d", (int)0x100000005); exit(0); }
