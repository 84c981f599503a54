BEGIN { printf("%d", sizeof (double)); exit(0); }
