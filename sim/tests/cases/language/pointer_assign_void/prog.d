int *a; BEGIN { a = alloca(4); printf("%d", a != NULL); exit(0); }
