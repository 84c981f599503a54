typedef int foo_t; struct s { int a; int foo_t; }; BEGIN { printf("%d", offsetof(struct s, foo_t)); exit(0); }
