int *a; void *b; BEGIN { printf("%d", a == b); exit(0); }
