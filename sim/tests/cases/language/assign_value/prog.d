BEGIN { y = (x = 8); printf("%d", x); exit(0); }
