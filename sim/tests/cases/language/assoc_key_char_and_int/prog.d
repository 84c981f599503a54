BEGIN { a[65] = 5; printf("%d", a[(char)65]); exit(0); }
