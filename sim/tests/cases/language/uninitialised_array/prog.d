int a[4]; BEGIN { printf("%d", a[0] + a[1] + a[2] + a[3]); exit(0); }
