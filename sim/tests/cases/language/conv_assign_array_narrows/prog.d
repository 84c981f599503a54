char c[2]; BEGIN { c[0] = 255; printf("%d", c[0]); exit(0); }
