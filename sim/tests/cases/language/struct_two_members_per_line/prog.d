struct s { int a, b; };
struct s v;
BEGIN { v.a = 1; v.b = 2; printf("%d", v.a * 10 + v.b); exit(0); }
