int *p;
int *q;
BEGIN { p = alloca(16); p[3] = 5; q = &p[3]; printf("%d", *q); exit(0); }
