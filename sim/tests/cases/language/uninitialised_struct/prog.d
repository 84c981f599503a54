struct s { int a; char b; }; struct s v; BEGIN { printf("%d %d", v.a, v.b); exit(0); }
