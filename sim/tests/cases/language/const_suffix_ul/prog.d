BEGIN { printf("%d", 10UL); exit(0); }
