struct later;
struct later *p;
struct later { int n; };
BEGIN { p = alloca(4); p->n = 3; printf("%d", p->n); exit(0); }
