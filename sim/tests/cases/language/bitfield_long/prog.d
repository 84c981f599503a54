struct a { uint64_t x:40; }; struct a v; BEGIN { v.x = -1; printf("%d", v.x); exit(0); }
