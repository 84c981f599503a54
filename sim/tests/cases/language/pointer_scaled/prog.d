int *p;
BEGIN { p = alloca(16); p[2] = 9; printf("%d", *(p + 2)); exit(0); }
