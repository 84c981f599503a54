typedef const int ci_t;
ci_t x;
BEGIN { x = 4; printf("%d", x); exit(0); }
