typedef int *ip_t;
ip_t p;
BEGIN { p = alloca(4); *p = 3; printf("%d", *p); exit(0); }
