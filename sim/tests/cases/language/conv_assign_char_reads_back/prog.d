char c; BEGIN { c = 257; printf("%d", c); exit(0); }
