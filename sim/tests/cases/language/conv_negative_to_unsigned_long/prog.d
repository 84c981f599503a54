BEGIN { printf("%d", (unsigned long)-1L); exit(0); }
