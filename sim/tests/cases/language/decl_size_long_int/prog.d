BEGIN { printf("%d", sizeof (long int)); exit(0); }
