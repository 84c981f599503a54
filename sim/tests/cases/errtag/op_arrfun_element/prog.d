int a[2][3];
BEGIN { a[0] = 0; }
