inline int sq[int n] = n * n;
BEGIN { printf("%d", sq[sq[2]]); exit(0); }
