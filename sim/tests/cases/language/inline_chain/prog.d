inline int A = 2; inline int B = A + 1; inline int C = A * B * 2; BEGIN { printf("%d", C); exit(0); }
