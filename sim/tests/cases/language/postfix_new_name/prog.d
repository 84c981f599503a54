BEGIN { x++; y--; printf("%d %d %d\n", x, y, sizeof (x)); exit(0); }
