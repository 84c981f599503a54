int *a; char *b; BEGIN { trace(a == b); exit(0); }
