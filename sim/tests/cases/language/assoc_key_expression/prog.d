BEGIN { a[6] = 8; printf("%d", a[2 * 3]); exit(0); }
