int a[char]; BEGIN { a[257] = 1; printf("%d %d", a[1], a[257]); exit(0); }
