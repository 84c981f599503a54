struct a { unsigned x:3; }; struct a v; BEGIN { v.x = 7; v.x--; printf("%d", v.x); exit(0); }
