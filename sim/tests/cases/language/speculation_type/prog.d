BEGIN { printf("%d", sizeof(speculation())); exit(0); }
