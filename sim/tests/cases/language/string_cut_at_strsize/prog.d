BEGIN { s = "123456789"; printf("%s", s); exit(0); }
