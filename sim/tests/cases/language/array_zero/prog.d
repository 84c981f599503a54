int a[4];
BEGIN { printf("%d", a[1]); exit(0); }
