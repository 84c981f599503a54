BEGIN { x = 0; s = x ? "a" : "bb"; printf("%s", s); exit(0); }
