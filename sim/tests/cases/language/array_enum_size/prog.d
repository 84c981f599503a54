enum e { K = 2 }; int a[K]; BEGIN { printf("%d", sizeof(a)); exit(0); }
