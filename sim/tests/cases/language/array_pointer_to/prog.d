int a[3]; int (*p)[3]; BEGIN { p = (int (*)[3])&a[0]; (*p)[1] = 3; printf("%d", a[1]); exit(0); }
