BEGIN { printf("%d", sizeof (1u + 1)); exit(0); }
