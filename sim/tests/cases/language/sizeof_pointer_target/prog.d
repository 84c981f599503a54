int *p; BEGIN { printf("%d", sizeof(*p)); exit(0); }
