int a[4];
int i;
BEGIN { i = 1; a[2] = 9; printf("%d", a[i + 1]); exit(0); }
