BEGIN { s = "one"; printf("%s", s); exit(0); }
