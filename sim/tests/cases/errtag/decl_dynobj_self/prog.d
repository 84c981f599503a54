self int a[3][string];
