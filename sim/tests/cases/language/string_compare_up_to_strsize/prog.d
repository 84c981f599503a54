BEGIN { s = "abcdefgh"; t = "abcdxxxx"; printf("%d", s == t); exit(0); }
