uint64_t a[int]; BEGIN { printf("%d", sizeof(a[1])); exit(0); }
