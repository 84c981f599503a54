BEGIN { printf("%d", sizeof(long double)); exit(0); }
