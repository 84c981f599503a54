struct p { int x; };
struct p a[int];
BEGIN { a[1].x = 4; a[1] = 0; printf("%d", a[1].x); exit(0); }
