typedef struct o { int a; } o_t; translator o_t < int v > { a = v; }; BEGIN { printf("%d", xlate <o_t> (4).a); exit(0); }
