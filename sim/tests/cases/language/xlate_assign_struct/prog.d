struct o { int a; int b; }; translator struct o < int v > { a = v; b = v + 2; }; struct o r; BEGIN { r = xlate <struct o> (5); printf("%d %d", r.a, r.b); exit(0); }
