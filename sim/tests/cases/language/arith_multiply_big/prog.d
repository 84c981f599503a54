BEGIN { x = 65535l; printf("%d", x * x); exit(0); }
