int (*f)(int);
BEGIN { BEGIN("%d", f == NULL); exit(0); }
