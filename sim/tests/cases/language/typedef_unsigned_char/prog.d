typedef unsigned char byte_t; byte_t b; BEGIN { b = (byte_t)-1; printf("%d", b); exit(0); }
