BEGIN { printf("%d", sizeof (signed char)); exit(0); }
