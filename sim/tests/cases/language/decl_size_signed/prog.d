BEGIN { printf("%d", sizeof (signed)); exit(0); }
