struct s { int a; int b; };
struct s v[3];
BEGIN { printf("%d", sizeof (v)); exit(0); }
