extern int f(int, char *); extern void g(void); extern int h(); extern int v(const char *, ...); BEGIN { printf("1"); exit(0); }
