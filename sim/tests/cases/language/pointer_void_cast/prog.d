void *v;
BEGIN { v = alloca(4); *(int *)v = 11; printf("%d", *(int *)v); exit(0); }
