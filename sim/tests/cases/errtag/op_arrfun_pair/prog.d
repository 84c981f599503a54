char a[4]; char b[4]; BEGIN { a = b; }
