BEGIN { printf("%d", sizeof (short unsigned)); exit(0); }
