BEGIN { s = "a"; t = s; printf("%s", t); exit(0); }
