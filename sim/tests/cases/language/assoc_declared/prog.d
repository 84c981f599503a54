int a[string, int];
BEGIN { a["x", 3] = 2; printf("%d", a["x", 3]); exit(0); }
