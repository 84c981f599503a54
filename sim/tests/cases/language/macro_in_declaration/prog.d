int a[$1]; BEGIN { printf("%d", sizeof(a)); exit(0); }
