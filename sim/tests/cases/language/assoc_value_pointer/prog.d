int *a[int];
BEGIN { a[1] = alloca(4); *a[1] = 4; printf("%d", *a[1]); exit(0); }
