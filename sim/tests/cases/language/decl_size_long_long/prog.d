BEGIN { printf("%d", sizeof (long long)); exit(0); }
