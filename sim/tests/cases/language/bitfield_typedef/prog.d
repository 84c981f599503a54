typedef unsigned int u_t; struct a { u_t x:4; }; struct a v; BEGIN { v.x = 25; printf("%d", v.x); exit(0); }
