BEGIN { printf("%d", sizeof (int) - 5 > 0); exit(0); }
