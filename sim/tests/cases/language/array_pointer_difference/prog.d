int a[4];
BEGIN { printf("%d", (a + 3) - a); exit(0); }
