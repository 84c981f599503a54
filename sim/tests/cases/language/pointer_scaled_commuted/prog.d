int *p;
BEGIN { p = alloca(16); p[2] = 9; printf("%d", *(2 + p)); exit(0); }
