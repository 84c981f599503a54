BEGIN { printf("%d", sizeof ((1, 2l))); exit(0); }
