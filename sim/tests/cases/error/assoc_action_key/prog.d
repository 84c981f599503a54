BEGIN { a[trace(1)] = 1; exit(0); }
