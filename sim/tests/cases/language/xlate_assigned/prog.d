struct o { int a; int b; string s; };
translator struct o < int i > { a = i * 2; b = i + 1; s = "t"; };
struct o v;
BEGIN { v = xlate <struct o> (3); printf("%d", v.a * 100 + v.b); exit(0); }
