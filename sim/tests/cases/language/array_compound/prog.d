int a[2];
BEGIN { a[1] = 5; a[1] += 7; printf("%d", a[1]); exit(0); }
