typedef short my_t;
BEGIN { printf("%d", sizeof (my_t)); exit(0); }
