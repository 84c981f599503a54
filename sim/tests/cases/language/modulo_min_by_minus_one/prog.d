BEGIN { a = (int64_t)0x8000000000000000; b = -1; printf("%d", a % b); exit(0); }
