int *p;
BEGIN { p = alloca(16); printf("%d", (uintptr_t)p - (uintptr_t)(p - 1)); exit(0); }
