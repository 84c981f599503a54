BEGIN { printf("%d", sizeof ((char)1 + (char)1)); exit(0); }
