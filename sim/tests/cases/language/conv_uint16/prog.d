BEGIN { printf("%d", (uint16_t)65537); exit(0); }
