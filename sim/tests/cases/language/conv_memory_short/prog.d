short *p;
BEGIN { p = alloca(2); *p = 65534; printf("%d", *p); exit(0); }
