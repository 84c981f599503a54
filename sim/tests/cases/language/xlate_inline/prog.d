struct o { int a; int b; string s; };
translator struct o < int i > { a = i * 2; b = i + 1; s = "t"; };
inline struct o *v = xlate <struct o *> (7);
BEGIN { printf("%d", v->a); exit(0); }
