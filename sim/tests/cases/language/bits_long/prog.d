struct o { uint64_t f:30; };
struct o v;
BEGIN { v.f = -1; printf("%d", v.f); exit(0); }
