BEGIN { printf("%d", epid); exit(0); }
