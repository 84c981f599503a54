BEGIN { a[`hz] = 3; printf("%d", a[100]); exit(0); }
