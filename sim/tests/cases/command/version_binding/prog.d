inline int N = 4;
#pragma D binding "1.2" N
BEGIN { printf("%d", N); exit(0); }
