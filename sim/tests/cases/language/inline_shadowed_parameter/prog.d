int a;
inline int f[int a] = a;
BEGIN { a = 5; printf("%d", f[1] + a); exit(0); }
