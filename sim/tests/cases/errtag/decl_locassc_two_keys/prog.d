this int a[int, int];
