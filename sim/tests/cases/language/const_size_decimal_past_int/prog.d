BEGIN { printf("%d", sizeof (2147483648)); exit(0); }
