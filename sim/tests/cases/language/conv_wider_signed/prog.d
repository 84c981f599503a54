BEGIN { printf("%d", (int64_t)(int8_t)-5); exit(0); }
