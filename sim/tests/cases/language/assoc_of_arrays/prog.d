int a[int][4];
BEGIN { a[1][2] = 5; a[2][2] = 6; printf("%d", a[1][2]); exit(0); }
