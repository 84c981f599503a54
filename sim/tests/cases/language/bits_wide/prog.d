struct b { int a:3; unsigned int c:5; int d:12; };
struct b v;
BEGIN { v.d = 2048; printf("%d", v.d); exit(0); }
