int a[2][3]; BEGIN { trace(a[1][3]); }
