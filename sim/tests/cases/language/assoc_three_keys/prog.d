BEGIN { a[1, 2, 3] = 6; a[3, 2, 1] = 7; printf("%d", a[1, 2, 3]); exit(0); }
