struct b { int a:3; unsigned int c:5; int d:12; };
struct b v;
BEGIN { v.a = 0; v.c = 31; v.d = 0; printf("%d %d %d", v.a, v.c, v.d); exit(0); }
