BEGIN { a["ab\0c"] = 7;printf("%d", a["ab"]); exit(0); }
