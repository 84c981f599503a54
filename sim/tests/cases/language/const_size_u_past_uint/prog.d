BEGIN { printf("%d", sizeof (4294967296u)); exit(0); }
