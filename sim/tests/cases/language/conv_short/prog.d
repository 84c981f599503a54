BEGIN { printf("%d", (short)0x18000); exit(0); }
