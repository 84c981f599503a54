struct s { int a; int b; };
struct s x[int];
BEGIN { printf("%d ", x[1].a); x[1].b = 7; printf("%d %d\n", x[1].a, x[1].b); exit(0); }
