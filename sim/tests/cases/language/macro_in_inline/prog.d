inline int N = $1 * 2; BEGIN { printf("%d", N); exit(0); }
