BEGIN { a[1]--; printf("%d", a[1]); exit(0); }
