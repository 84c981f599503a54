#pragma D binding "1.0" N
inline int N = 4;
BEGIN { printf("%d", N); exit(0); }
