BEGIN { printf("%d", (unsigned long)-1); exit(0); }
