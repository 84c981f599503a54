BEGIN { a[1] = 2; a[2] = 9; printf("%d", a[a[1]]); exit(0); }
