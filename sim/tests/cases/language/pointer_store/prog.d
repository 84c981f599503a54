int *p;
BEGIN { p = alloca(16); *p = 5; printf("%d", *p); exit(0); }
