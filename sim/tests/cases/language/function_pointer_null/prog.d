int (*fp)(int, char *); BEGIN { printf("%d", fp == NULL); exit(0); }
