int a[2];
BEGIN { a[0] = 4; printf("%d", *a); exit(0); }
