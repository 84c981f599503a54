char a[2]; BEGIN { a[0] = 1; a[1] = 2; printf(" %d %d", a[0], a[1]); exit(0); }
