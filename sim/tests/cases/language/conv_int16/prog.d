BEGIN { printf("%d", (int16_t)65535); exit(0); }
