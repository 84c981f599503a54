inline int *ip = (int *)0; BEGIN { printf("%d", ip == NULL ? 3 : 4); exit(0); }
