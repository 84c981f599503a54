int *a[2];
BEGIN { a[1] = alloca(4); *a[1] = 6; printf("%d", *a[1]); exit(0); }
