typedef struct pt { int x; } pt;
pt *v;
BEGIN { v = alloca(4); v->x = 6; printf("%d", v->x); exit(0); }
