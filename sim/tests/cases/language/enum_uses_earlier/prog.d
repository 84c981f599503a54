enum f { A = 1, B = A + 2 };
BEGIN { printf("%d", B); exit(0); }
