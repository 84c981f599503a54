struct s { int n; int v[3]; }; struct s g; BEGIN { g.n++; ++g.v[2]; g.v[2]++; printf("%d %d", g.n, g.v[2]); exit(0); }
