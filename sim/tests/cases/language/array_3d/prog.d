char c[2][3][4]; BEGIN { c[1][2][3] = 7; printf("%d %d", sizeof(c), c[1][2][3]); exit(0); }
