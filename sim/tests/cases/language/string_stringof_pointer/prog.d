char *p;
BEGIN { p = alloca(4); p[0] = 'y'; p[1] = 'o'; p[2] = 0; printf("%s", stringof(p)); exit(0); }
