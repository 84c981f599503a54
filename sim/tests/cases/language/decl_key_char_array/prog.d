int a[char [4]]; char k[4]; BEGIN { k[0] = 'x'; a[k] = 5; printf("%d", a[k]); exit(0); }
