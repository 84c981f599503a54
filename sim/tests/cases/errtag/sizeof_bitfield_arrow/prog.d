struct s { int a; int b:3; };
struct s *p;
BEGIN { trace(sizeof (p->b)); }
