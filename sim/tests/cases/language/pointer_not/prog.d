int *p;
BEGIN { printf("%d", !p); exit(0); }
