struct s { int a; }; struct s g; inline int ga = g.a; BEGIN { g.a = 7; printf("%d", ga); exit(0); }
