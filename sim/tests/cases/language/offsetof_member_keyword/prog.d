struct s { int a; string string; }; BEGIN { printf("%d", offsetof(struct s, string)); exit(0); }
