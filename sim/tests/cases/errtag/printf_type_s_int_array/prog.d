int a[2]; BEGIN { printf("%s", a); }
