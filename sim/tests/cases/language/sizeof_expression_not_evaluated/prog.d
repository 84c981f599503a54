BEGIN { x = 5; y = sizeof (x++); printf("%d", x); exit(0); }
