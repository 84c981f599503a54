BEGIN { a[0] = 0; a[50] = 50; a[99] = 99; printf("%d", a[0] + a[50] + a[99]); exit(0); }
