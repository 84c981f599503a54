BEGIN { printf("%d", (uintptr_t)&`avenrun[1] - (uintptr_t)&`avenrun[0]); exit(0); }
