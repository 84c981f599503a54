self int a[0];
