struct o { int a; }; translator struct o < int v > { a = v * v; }; inline struct o *sq[int n] = xlate <struct o *> (n); BEGIN { printf("%d", sq[4]->a); exit(0); }
