struct p { int x; int y; };
struct p a[int];
BEGIN { printf("%d", a[3].x); exit(0); }
