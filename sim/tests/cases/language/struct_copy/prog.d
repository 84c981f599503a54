struct s { int a; int b; };
struct s v;
struct s w;
BEGIN { v.a = 1; v.b = 2; w = v; v.b = 3; printf("%d", w.b); exit(0); }
