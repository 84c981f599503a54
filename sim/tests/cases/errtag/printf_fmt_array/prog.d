char a[4]; BEGIN { printf(a); }
