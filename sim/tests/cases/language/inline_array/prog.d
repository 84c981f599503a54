inline int f[int a, int b] = a * 10 + b;
BEGIN { printf("%d\n", f[1, 2]); exit(0); }
