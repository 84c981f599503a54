struct s { int a; char b[4]; long c; }; struct s v; BEGIN { printf("%d %d %d %d", sizeof(v.a), sizeof(v.c), sizeof(struct s), sizeof(v.b[0])); exit(0); }
