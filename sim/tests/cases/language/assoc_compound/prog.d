BEGIN { a[1] = 10; a[1] *= 3; printf("%d", a[1]); exit(0); }
