enum e { A = 1, B = 2 }; BEGIN { printf("%d %d", A + B, A | 1); exit(0); }
