struct o { uint_t f:1; };
struct o v;
BEGIN { v.f = 3; printf("%d", v.f); exit(0); }
