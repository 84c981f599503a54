BEGIN { x = (uint64_t)1 << 63; printf("%d", x >> 1); exit(0); }
