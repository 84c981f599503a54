struct s { int a; int b; };
struct s *p;
BEGIN { p = alloca(8); p->b = 3; printf("%d", p->b); exit(0); }
