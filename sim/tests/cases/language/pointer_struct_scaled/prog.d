struct s { int a; int b; };
struct s *p;
BEGIN { p = alloca(16); p[1].a = 6; printf("%d", (p + 1)->a); exit(0); }
