BEGIN { a["k"] = 8; s = "k"; printf("%d", a[s]); exit(0); }
