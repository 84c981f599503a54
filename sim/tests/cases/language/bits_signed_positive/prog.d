struct b { int a:3; unsigned int c:5; int d:12; };
struct b v;
BEGIN { v.a = 3; printf("%d", v.a); exit(0); }
