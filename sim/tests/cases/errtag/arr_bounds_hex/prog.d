int a[10]; BEGIN { trace(a[0x10]); }
