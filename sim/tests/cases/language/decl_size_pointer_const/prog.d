BEGIN { printf("%d", sizeof (const char *)); exit(0); }
