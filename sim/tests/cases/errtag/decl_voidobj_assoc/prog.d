void a[int];
