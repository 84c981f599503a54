BEGIN { printf("%d", (int)(void *)0x12345678); exit(0); }
