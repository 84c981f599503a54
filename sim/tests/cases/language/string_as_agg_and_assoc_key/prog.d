BEGIN { a["ab"] = 1; a[strjoin("a", "b")]++; printf("%d", a["ab"]); exit(0); }
