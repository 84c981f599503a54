int a[int, void v];
