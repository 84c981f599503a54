struct o { int a; int b; };
translator struct o < int i > { a = i; b = i * 2; };
struct o v;
BEGIN { v = xlate <struct o> (4); printf("%d %d\n", v.a, v.b); exit(0); }
