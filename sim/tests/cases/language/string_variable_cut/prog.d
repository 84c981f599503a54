BEGIN { s = "abcdefgh"; printf("%s %d", s, strlen(s)); exit(0); }
