extern char *f(int); extern struct foo *g(struct foo *); BEGIN { printf("1"); exit(0); }
