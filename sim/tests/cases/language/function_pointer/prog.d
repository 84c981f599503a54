int (*fp)(int, char *); BEGIN { printf("%d", sizeof(fp)); exit(0); }
