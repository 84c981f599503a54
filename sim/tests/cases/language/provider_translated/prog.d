struct o { int a; }; translator struct o < int v > { a = v; }; provider mine { probe p(int x) : (struct o *x); }; BEGIN { printf("1"); exit(0); }
