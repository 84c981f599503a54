int a[void *]; BEGIN { a[curthread] = 5; printf("%d", a[curthread]); exit(0); }
