enum e { A = -1, B = -1, C };
BEGIN { printf("%d %d %d", A, B, C); exit(0); }
