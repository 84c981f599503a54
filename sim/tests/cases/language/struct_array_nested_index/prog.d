struct row { int v[3]; }; struct row m[2]; BEGIN { i = 1; j = 2; m[i].v[j] = 8; printf("%d", m[1].v[2]); exit(0); }
