BEGIN { a["n"]++; a["n"]++; ++a["n"]; printf("%d", a["n"]); exit(0); }
