BEGIN { a["one"] = 1; a["two"] = 2; printf("%d", a["one"] * 10 + a["two"]); exit(0); }
