struct m { const int a; volatile int b; }; struct m v; BEGIN { v.b = 3; printf("%d", v.b); exit(0); }
