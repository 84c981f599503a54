BEGIN { ("[%s]\n", substr("abc", -9, 7)); exit(0); }
