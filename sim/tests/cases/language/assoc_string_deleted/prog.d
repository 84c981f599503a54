BEGIN { a[1] = "x"; a[1] = 0; printf("%d", a[1] == NULL); exit(0); }
