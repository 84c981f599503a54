int *p;
BEGIN { p = alloca(8); p[1] = 8; p++; printf("%d", *p); exit(0); }
