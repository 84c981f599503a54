int *p;
BEGIN { p = alloca(8); printf("%d", p < p + 1); exit(0); }
