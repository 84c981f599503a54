struct s { int a; }; BEGIN { printf("%d", sizeof(offsetof(struct s, a))); exit(0); }
