char c[4]; string s; BEGIN { c[0] = 'a'; c[1] = 'b'; c[2] = 0; s = c; printf("%s", s); exit(0); }
