int *p;
BEGIN { p = alloca(4); a[p] = 5; printf("%d", a[p]); exit(0); }
