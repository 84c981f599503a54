BEGIN { printf("%d", sizeof (unsigned short int)); exit(0); }
