BEGIN { a['a'] = 1; printf("%d", a[97]); exit(0); }
