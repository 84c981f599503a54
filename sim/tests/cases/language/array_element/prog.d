int a[4];
BEGIN { a[2] = 7; printf("%d", a[2]); exit(0); }
