BEGIN { printf("%d", sizeof (char (*)[3])); exit(0); }
