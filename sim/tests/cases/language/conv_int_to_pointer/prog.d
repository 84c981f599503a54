BEGIN { printf("%p", (void *)0x1234); exit(0); }
