struct s { unsigned char c; }; struct s v; BEGIN { v.c = -1; printf("%d", v.c); exit(0); }
