BEGIN { printf("%d %d", sizeof(arg0), sizeof(arg9)); exit(0); }
