struct a { string string; int x; }; struct a p; BEGIN { p.string = "abc"; printf("%s", p.string); exit(0); }
