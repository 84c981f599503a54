int a[3 - 3];
