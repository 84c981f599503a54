inline int sq[int n] = n * n;
BEGIN { printf("%d", sq[5]); exit(0); }
