struct b { int a:3; unsigned int c:5; int d:12; };
struct b v;
BEGIN { v.a = 5; v.c = 31; printf("%d", v.a + v.c); exit(0); }
