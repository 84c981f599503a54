extern int f(int [], char *argv[]); BEGIN { printf("1"); exit(0); }
