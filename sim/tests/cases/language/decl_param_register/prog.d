extern int f(register int); BEGIN { printf("1"); exit(0); }
