union u { int i; char c; }; union u a; union u b; BEGIN { a.i = 5; b = a; printf("%d", b.c); exit(0); }
