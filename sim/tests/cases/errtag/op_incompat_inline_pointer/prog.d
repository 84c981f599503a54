inline char *p = 5;
