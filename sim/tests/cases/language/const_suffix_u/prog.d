BEGIN { printf("%d", 10u); exit(0); }
