BEGIN { printf("%d %d", sizeof((unsigned char)1 + 1), sizeof((short)1 + 1)); exit(0); }
