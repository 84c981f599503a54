BEGIN { printf("%d", (uint32_t)-1); exit(0); }
