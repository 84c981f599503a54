BEGIN { printf("%d", sizeof (2147483647)); exit(0); }
