BEGIN { x = (uint64_t)-1; printf("%d", x < 0); exit(0); }
