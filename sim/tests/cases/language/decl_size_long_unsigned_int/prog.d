BEGIN { printf("%d", sizeof (long unsigned int)); exit(0); }
