struct a { unsigned x:3; }; struct a v; BEGIN { v.x = 3; printf("%d", v.x == 3 && v.x < 4); exit(0); }
