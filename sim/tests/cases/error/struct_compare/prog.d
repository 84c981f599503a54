struct a { int x; }; struct a p; struct a q; BEGIN { trace(p == q); exit(0); }
