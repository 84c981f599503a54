char *restrict p; BEGIN { printf("%d", sizeof(p)); exit(0); }
