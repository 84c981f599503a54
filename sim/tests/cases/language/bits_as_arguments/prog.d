struct s { unsigned int a:9; int b:17; };
struct s v;
BEGIN { v.a = 511; v.b = -5; printf("%d %x %d", v.a, v.a, v.b); exit(0); }
