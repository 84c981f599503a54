char *p;
BEGIN { p = alloca(1); *p = 255; printf("%d", *p); exit(0); }
