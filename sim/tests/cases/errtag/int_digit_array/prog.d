int a[08];
