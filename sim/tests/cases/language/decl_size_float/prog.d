BEGIN { printf("%d", sizeof (float)); exit(0); }
