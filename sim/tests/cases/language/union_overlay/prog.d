union u { char c; int i; };
union u v;
BEGIN { v.i = 0x1234; printf("%d", v.c); exit(0); }
