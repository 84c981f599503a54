BEGIN { printf("%d", sizeof ((1l < 2l))); exit(0); }
