BEGIN { x = (unsigned)-1; printf("%d", (uint64_t)x); exit(0); }
