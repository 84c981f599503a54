int a[3];
BEGIN { i = 2; a[i] = 7; printf("%d %d", a[i], a[2]); exit(0); }
