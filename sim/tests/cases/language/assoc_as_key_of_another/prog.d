BEGIN { a[1] = 2; b[a[1]] = 9; printf("%d", b[2]); exit(0); }
