BEGIN { a[1] = "text"; printf("%d", a[2] == NULL); exit(0); }
