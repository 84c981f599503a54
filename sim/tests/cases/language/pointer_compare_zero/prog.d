int *a; BEGIN { printf("%d", a == 0); exit(0); }
