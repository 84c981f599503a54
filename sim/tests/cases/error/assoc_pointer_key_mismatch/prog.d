BEGIN { a[curthread] = 1; a[1] = 2; exit(0); }
