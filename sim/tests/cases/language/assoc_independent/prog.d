BEGIN { a[1] = 1; b[1] = 2; printf("%d", a[1] + b[1]); exit(0); }
