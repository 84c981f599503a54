int a; char b; uchar_t c; string d; BEGIN { a = 1; b = -1; c = 255; d = "abc"; printf("%d %d %d %s", a, b, c, d); exit(0); }
