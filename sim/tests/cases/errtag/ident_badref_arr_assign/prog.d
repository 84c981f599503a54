int a[int];
BEGIN { a = 1; }
