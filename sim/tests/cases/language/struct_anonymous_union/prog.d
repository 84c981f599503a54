struct a { int k; union { int w; char c[4]; }; }; struct a p; BEGIN { p.w = 258; printf("%d %d", p.w, p.c[0]); exit(0); }
