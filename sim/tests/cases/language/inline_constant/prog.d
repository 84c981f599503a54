inline int N = 42;
BEGIN { printf("%d", N + 1); exit(0); }
