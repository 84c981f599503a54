inline int N = 2; int a[N * 2 + 1]; BEGIN { printf("%d", sizeof(a)); exit(0); }
