enum e { A = 1 << 0, B = 1 << 1, C = B << 1 }; BEGIN { printf("%d %d %d", A, B, C); exit(0); }
