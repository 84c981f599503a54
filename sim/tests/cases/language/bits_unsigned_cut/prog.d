struct b { int a:3; unsigned int c:5; int d:12; };
struct b v;
BEGIN { v.c = 37; printf("%d", v.c); exit(0); }
