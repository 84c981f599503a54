BEGIN { printf("%d", sizeof (-(short)1)); exit(0); }
