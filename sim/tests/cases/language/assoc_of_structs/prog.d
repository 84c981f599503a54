struct p { int x; int y; };
struct p a[int];
BEGIN { a[1].y = 6; a[2].y = 7; printf("%d", a[1].y); exit(0); }
