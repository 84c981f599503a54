BEGIN { x = (char)100; printf("%d", (x + x) == 200); exit(0); }
