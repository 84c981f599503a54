inline uchar_t x = -1; BEGIN { printf("%d", x); exit(0); }
