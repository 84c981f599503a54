BEGIN { printf("%d", (-1 / 2u) > 0); exit(0); }
