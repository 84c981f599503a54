BEGIN { printf("%d", sizeof (unsigned)); exit(0); }
