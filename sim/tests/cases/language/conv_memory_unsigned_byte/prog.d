unsigned char *p;
BEGIN { p = alloca(1); *p = -1; printf("%d", *p); exit(0); }
