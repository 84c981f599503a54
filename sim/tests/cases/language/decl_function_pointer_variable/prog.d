int (*f)(int);
BEGIN { printf("%d", f == NULL); exit(0); }
