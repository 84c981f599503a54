#if (1 << 3) == 8
BEGIN { printf("eight"); exit(0); }
#endif
