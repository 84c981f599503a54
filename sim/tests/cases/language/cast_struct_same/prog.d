struct s { int a; }; struct s v; BEGIN { v.a = 3; printf("%d", ((struct s)v).a); exit(0); }
