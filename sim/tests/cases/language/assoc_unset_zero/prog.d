BEGIN { a[5] = 1; printf("%d", a[7]); exit(0); }
