BEGIN { printf("%d", (long)-1 < (unsigned int)1); exit(0); }
