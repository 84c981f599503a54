BEGIN { printf("%d", (int)(uint8_t)255); exit(0); }
