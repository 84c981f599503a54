union u { char c; int i; long l; };
BEGIN { printf("%d", sizeof (union u)); exit(0); }
