self int a[string, ...];
