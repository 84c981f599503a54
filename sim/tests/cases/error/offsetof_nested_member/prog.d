struct s { struct { int b; } a; }; BEGIN { printf("%d", offsetof(struct s, a.b)); exit(0); }
