BEGIN { printf("%d", 1l << 40); exit(0); }
