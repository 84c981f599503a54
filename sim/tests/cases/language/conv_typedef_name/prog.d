BEGIN { printf("%d", (uchar_t)511); exit(0); }
