BEGIN { printf("%d", sizeof (037777777777)); exit(0); }
