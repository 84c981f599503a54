BEGIN { printf("%d", sizeof (0x100000000)); exit(0); }
