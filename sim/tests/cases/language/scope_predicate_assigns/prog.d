BEGIN /x = 1/ { printf("%d", x); exit(0); }
