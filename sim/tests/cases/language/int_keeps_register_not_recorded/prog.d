BEGIN { x = 1; x = 1ll << 40; printf("%d %d", x, x >> 40); exit(0); }
