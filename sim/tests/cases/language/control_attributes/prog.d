#pragma D attributes Stable/Stable/Common N
inline int N = 4;
BEGIN { printf("%d", N); exit(0); }
