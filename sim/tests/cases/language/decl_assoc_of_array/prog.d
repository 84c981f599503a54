int a[int][3]; BEGIN { a[7][1] = 6; printf("%d", a[7][1]); exit(0); }
