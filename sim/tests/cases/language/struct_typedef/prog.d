typedef struct { int x; int y; } pt_t;
pt_t v;
BEGIN { v.y = 2; printf("%d", v.y); exit(0); }
