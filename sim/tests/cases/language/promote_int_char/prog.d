BEGIN { printf("%d", sizeof (1 + (char)1)); exit(0); }
