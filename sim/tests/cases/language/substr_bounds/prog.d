BEGIN { s = "abcdef"; printf("[%s][%s][%s][%s]", substr(s, 1, 2), substr(s, -1), substr(s, 6), substr(s, 0)); exit(0); }
