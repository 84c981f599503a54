struct s { int a; };
struct s v;
BEGIN { v.a = 7; v.a++; printf("%d", v.a); exit(0); }
