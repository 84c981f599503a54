struct b { int a:3; unsigned int c:5; int d:12; };
struct b v;
BEGIN { v.a = -1; v.c = 0; v.d = -1; printf("%d %d %d", v.a, v.c, v.d); exit(0); }
