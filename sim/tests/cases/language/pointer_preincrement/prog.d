int *p;
BEGIN { p = alloca(8); p[1] = 8; printf("%d", *++p); exit(0); }
