union u { struct { short lo; short hi; } h; int w; }; union u v; BEGIN { v.w = 0x20001; printf("%d %d", v.h.lo, v.h.hi); exit(0); }
