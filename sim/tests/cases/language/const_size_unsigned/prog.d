BEGIN { printf("%d", sizeof (1u)); exit(0); }
