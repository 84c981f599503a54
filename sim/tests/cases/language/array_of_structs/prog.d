struct s { int a; int b; };
struct s v[3];
BEGIN { v[0].b = 1; v[1].b = 2; v[2].b = 3; printf("%d", v[1].b); exit(0); }
