BEGIN { x = (int64_t)-1; printf("%d", (uint64_t)x >> 60); exit(0); }
