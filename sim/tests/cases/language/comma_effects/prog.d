BEGIN { x = 0; (x = 1, x += 2); printf("%d", x); exit(0); }
