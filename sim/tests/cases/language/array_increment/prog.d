int a[2];
BEGIN { a[0]++; ++a[0]; printf("%d", a[0]); exit(0); }
