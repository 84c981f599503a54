BEGIN { a[""] = 2; a["x"] = 3; printf("%d", a[""]); exit(0); }
