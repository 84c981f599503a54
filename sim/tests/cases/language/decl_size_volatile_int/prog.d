BEGIN { printf("%d", sizeof (volatile int)); exit(0); }
