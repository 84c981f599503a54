BEGIN { s = "abc"; t = s; s = "xyz"; printf("%s %s", t, s); exit(0); }
