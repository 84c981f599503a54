struct o { int a; }; translator struct o < int v > { a = v * v; }; inline struct o *sq = xlate <struct o *> (3); BEGIN { printf("%d", sq->a); exit(0); }
