int a[char];
BEGIN { a[1] = 4; printf("%d", a[257]); exit(0); }
