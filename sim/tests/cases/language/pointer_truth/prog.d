int *p;
BEGIN { p = alloca(4); printf("%d", p ? 1 : 0); exit(0); }
