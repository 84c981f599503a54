BEGIN { printf("%d", sizeof (0x80000000)); exit(0); }
