BEGIN { printf("%d", (int8_t)128); exit(0); }
