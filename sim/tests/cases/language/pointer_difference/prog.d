int *p;
int *q;
BEGIN { p = alloca(16); q = p + 3; printf("%d", q - p); exit(0); }
