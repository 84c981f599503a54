struct s { int a; int b; };
struct s *p;
int *q;
BEGIN { p = alloca(8); p->b = 3; q = &p->b; printf("%d", *q); exit(0); }
