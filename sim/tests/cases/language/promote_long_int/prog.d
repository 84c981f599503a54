BEGIN { printf("%d", sizeof (1l * 1)); exit(0); }
