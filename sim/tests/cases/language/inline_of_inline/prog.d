inline int A = 4;
inline int B = A * 3;
BEGIN { printf("%d", B); exit(0); }
