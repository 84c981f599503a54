BEGIN { x = (char)100; printf("%d", x + x); exit(0); }
