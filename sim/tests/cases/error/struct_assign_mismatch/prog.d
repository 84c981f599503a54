struct a { int x; }; struct b { int x; }; struct a p; struct b q; BEGIN { p = q; exit(0); }
