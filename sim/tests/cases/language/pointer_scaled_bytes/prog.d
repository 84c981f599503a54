int *p;
BEGIN { p = alloca(16); printf("%d", (uintptr_t)(p + 3) - (uintptr_t)p); exit(0); }
