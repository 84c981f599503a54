char c[int]; BEGIN { c[0] = 257; printf("%d", c[0]); exit(0); }
