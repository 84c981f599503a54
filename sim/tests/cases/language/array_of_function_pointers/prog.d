int (*fp[2])(int); BEGIN { printf("%d", sizeof(fp)); exit(0); }
