struct a { int x:1; }; struct a v; BEGIN { v.x = 1; printf("%d", v.x); exit(0); }
