uint32_t *p;
BEGIN { p = alloca(4); *p = -1; printf("%d", *p); exit(0); }
