BEGIN { printf("%d", sizeof ((char)1 + (short)1)); exit(0); }
