string s;
BEGIN { printf("%d", sizeof (s)); exit(0); }
