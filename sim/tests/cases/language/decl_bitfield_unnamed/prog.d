struct s { int a : 3; int : 5; int b : 4; }; struct s v; BEGIN { v.b = 2; printf("%d", v.b); exit(0); }
