char *p;
BEGIN { p = alloca(4); p[0] = 'o'; p[1] = 'k'; p[2] = 0; printf("%d", p == "ok"); exit(0); }
