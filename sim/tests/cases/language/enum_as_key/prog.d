enum e { A = 1, B = 2 }; BEGIN { a[B] = 4; printf("%d", a[B]); exit(0); }
