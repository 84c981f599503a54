struct b { int a:3; unsigned int c:5; int d:12; };
struct b v;
BEGIN { printf("%d", sizeof (struct b)); exit(0); }
