BEGIN { x = -1; printf("%d", (unsigned long)x); exit(0); }
