int *p;
int **pp;
BEGIN { p = alloca(4); *p = 4; pp = alloca(8); *pp = p; printf("%d", **pp); exit(0); }
