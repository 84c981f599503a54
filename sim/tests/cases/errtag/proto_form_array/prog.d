int a[int x, int x];
