int a[1];
BEGIN { a[0] = 4; printf("%d", a[0]); exit(0); }
