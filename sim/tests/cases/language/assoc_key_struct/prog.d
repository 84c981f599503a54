struct p { int x; int y; };
struct p v;
struct p w;
BEGIN { v.x = 1; w.x = 2; a[v] = 3; a[w] = 4; printf("%d", a[v]); exit(0); }
