int a[sizeof(long)]; BEGIN { printf("%d", sizeof(a)); exit(0); }
