BEGIN { x++; printf("%d", sizeof (x)); exit(0); }
