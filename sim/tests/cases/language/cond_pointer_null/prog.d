int *p;
BEGIN { p = pid >= 0 ? NULL : (int *)alloca(4); printf("%d", p == NULL); exit(0); }
