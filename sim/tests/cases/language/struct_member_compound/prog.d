struct s { int a; };
struct s v;
BEGIN { v.a = 7; v.a *= 3; printf("%d", v.a); exit(0); }
