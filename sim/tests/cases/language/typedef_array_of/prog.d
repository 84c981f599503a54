typedef int tri_t[3]; tri_t v; BEGIN { v[2] = 12; printf("%d", v[2]); exit(0); }
