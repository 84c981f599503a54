int a; char b; uint64_t c; BEGIN { printf("%d %d %d", a, b, c); exit(0); }
