static int a[3];
