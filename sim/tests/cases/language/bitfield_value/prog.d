struct s { int a:3; unsigned int b:3; };
struct s v;
BEGIN { v.a = 5; v.b = 13; printf("%d %d\n", v.a, v.b); exit(0); }
