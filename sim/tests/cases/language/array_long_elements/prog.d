int64_t a[2];
BEGIN { a[1] = -1; printf("%d", a[1]); exit(0); }
