struct a { int v; struct a x; }; BEGIN { exit(0); }
