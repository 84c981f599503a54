int a[int, int];
BEGIN { a[1] = 2; }
