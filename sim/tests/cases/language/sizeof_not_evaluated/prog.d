BEGIN { x = 0; y = sizeof(x++); printf("%d", x); exit(0); }
