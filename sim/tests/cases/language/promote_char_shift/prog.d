BEGIN { printf("%d", sizeof((char)1 << 3)); exit(0); }
