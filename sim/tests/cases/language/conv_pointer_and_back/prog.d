BEGIN { printf("%d", (int)(uintptr_t)(char *)4660); exit(0); }
