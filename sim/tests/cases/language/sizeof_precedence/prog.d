BEGIN { printf("%d", sizeof (int) * 2); exit(0); }
