BEGIN { a[1] = "text"; printf("%s", a[1]); exit(0); }
