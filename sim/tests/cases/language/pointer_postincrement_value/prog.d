int *p;
int *q;
BEGIN { p = alloca(8); p[0] = 7; p[1] = 8; q = p++; printf("%d", *q); exit(0); }
