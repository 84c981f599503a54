BEGIN { s = "abc"; } BEGIN { printf("[%s]", s); exit(0); }
