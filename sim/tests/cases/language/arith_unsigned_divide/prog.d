BEGIN { x = (uint64_t)-1; printf("%x", x / 2); exit(0); }
