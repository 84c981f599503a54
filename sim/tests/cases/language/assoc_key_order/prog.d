BEGIN { a["a", "b"] = 1; a["b", "a"] = 2; printf("%d", a["b", "a"]); exit(0); }
