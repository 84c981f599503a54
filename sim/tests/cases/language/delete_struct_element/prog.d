struct s { int a; };
struct s x[int];
BEGIN { x[1].a = 5; x[1] = 0; printf("%d\n", x[1].a); exit(0); }
