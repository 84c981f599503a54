struct s { char n; int a[4]; };
struct s v;
BEGIN { v.a[3] = 6; printf("%d", v.a[3]); exit(0); }
