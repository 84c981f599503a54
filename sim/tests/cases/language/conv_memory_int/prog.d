int *p;
BEGIN { p = alloca(4); *p = 0xffffffff; printf("%d", *p); exit(0); }
