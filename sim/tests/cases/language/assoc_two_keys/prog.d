BEGIN { a[1, "x"] = 9; a[2, "x"] = 5; printf("%d", a[1, "x"] - a[2, "x"]); exit(0); }
