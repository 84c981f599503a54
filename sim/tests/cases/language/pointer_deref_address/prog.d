struct s { int a; }; struct s v; BEGIN { v.a = 6; printf("%d", *&v.a); exit(0); }
