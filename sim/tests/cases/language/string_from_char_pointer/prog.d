char *p;
BEGIN { p = alloca(4); p[0] = 'h'; p[1] = 'i'; p[2] = 0; printf("%s", (string)p); exit(0); }
