int a[3]; BEGIN { a[1] = 2; printf("%d", *(1 + a)); exit(0); }
