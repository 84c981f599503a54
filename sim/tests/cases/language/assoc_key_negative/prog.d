BEGIN { a[-1] = 3; a[1] = 4; printf("%d", a[-1]); exit(0); }
