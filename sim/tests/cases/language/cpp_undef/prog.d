#define A 1
#undef A
#ifndef A
BEGIN { printf("gone"); exit(0); }
#endif
