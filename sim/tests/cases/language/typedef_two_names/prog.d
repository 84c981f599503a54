typedef int a_t, *b_t;
BEGIN { printf("%d", sizeof (a_t) * 10 + sizeof (b_t)); exit(0); }
