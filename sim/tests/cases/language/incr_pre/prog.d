BEGIN { x = 5; y = ++x; printf("%d", y * 10 + x); exit(0); }
