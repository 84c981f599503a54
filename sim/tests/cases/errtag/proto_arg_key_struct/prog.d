struct s { int a; };
struct s v;
int a[int];
BEGIN { trace(a[v]); }
