int a[3]; BEGIN { a[1] = 2; printf("%d", *(a + 1)); exit(0); }
