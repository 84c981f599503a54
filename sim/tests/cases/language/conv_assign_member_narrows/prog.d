struct s { char c; }; struct s v; BEGIN { v.c = 257; printf("%d", v.c == 1); exit(0); }
