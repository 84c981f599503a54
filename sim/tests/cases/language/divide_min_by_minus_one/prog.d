BEGIN { a = (int64_t)0x8000000000000000; b = -1; x = a / b; printf("1"); exit(0); }
