BEGIN { printf("%d", (int64_t)(uint32_t)-1); exit(0); }
