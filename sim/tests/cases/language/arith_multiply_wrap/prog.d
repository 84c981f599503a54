BEGIN { x = 4294967296; printf("%d", x * x); exit(0); }
