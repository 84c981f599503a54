extern int f(static int); BEGIN { exit(0); }
