struct s { int a; }; struct s u; struct s v; BEGIN { u.a = 1; v.a = 3; x = 0; printf("%d", (x ? &u.a : &v.a)[0]); exit(0); }
