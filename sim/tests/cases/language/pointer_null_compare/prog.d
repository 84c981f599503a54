int *p;
BEGIN { p = NULL; printf("%d", p == NULL); exit(0); }
