struct o { int f:1; };
struct o v;
BEGIN { v.f = 1; printf("%d", v.f); exit(0); }
