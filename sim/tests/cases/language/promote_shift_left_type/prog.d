BEGIN { printf("%d", sizeof ((char)1 << 1l)); exit(0); }
