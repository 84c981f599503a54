BEGIN { printf("%d %d", NULL, sizeof(NULL)); exit(0); }
