BEGIN /x = 4/ { printf("%d", x); exit(0); }
