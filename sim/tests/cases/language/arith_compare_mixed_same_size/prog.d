BEGIN { printf("%d", (int)-1 < (unsigned int)1); exit(0); }
