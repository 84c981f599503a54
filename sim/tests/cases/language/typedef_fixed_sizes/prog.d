BEGIN { printf("%d", sizeof (int8_t) * 1000 + sizeof (uint16_t) * 100 + sizeof (int32_t) * 10 + sizeof (uint64_t)); exit(0); }
