inline int f[int, int b] = b;
BEGIN { printf("%d\n", f[1, 2]); exit(0); }
