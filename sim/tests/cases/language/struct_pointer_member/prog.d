struct t { int n; };
struct s { struct t *p; };
struct s v;
BEGIN { v.p = alloca(4); v.p->n = 7; printf("%d", v.p->n); exit(0); }
