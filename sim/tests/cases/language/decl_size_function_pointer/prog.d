BEGIN { printf("%d", sizeof (int (*)(void))); exit(0); }
