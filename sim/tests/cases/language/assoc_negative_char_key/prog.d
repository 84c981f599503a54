int a[char]; BEGIN { a[255] = 1; printf("%d %d", a[-1], a[1]); exit(0); }
