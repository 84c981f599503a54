int *a; char *b; BEGIN { a = b; exit(0); }
