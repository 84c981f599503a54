BEGIN { a[1, (void)0] = 1; }
