struct s { char c; }; struct s v; BEGIN { v.c = 127; v.c++; printf("%d", v.c); exit(0); }
