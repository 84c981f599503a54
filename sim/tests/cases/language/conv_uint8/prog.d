BEGIN { printf("%d", (uint8_t)-1); exit(0); }
