BEGIN { y = (x = 3, x + 1); printf("%d %d", y, x); exit(0); }
