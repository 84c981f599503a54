struct a { int k; struct { int u; int v; }; }; struct a p; èEGIN { p.v = 3; printf("%d", p.v); exit(0); }
