struct a { unsigned x:3; }; struct a v; BEGIN { v.x = 2; a[v.x] = 1; printf("%d", a[2]); exit(0); }
