int a[2][0];
