struct a { int x; }; struct a p; BEGIN { p = 1; exit(0); }
