typedef int (*fp_t)(int, char *);
BEGIN { printf("%d", sizeof (fp_t)); exit(0); }
