int *restrict p;
BEGIN { p = alloca(4); *p = 5; printf("%d", *p); exit(0); }
