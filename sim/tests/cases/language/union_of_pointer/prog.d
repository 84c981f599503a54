union u { void *p; uintptr_t n; }; union u v; BEGIN { v.p = curthread; printf("%d", v.n == (uintptr_t)curthread); exit(0); }
