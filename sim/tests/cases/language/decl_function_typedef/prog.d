typedef int fn_t(int, char); fn_t *fp; BEGIN { printf("%d", sizeof(fp)); exit(0); }
