struct a { int x:32; unsigned char y:8; }; struct a v; BEGIN { v.x = -1; v.y = -1; printf("%d %d", v.x, v.y); exit(0); }
