BEGIN { printf("%d", 1 || 0 && 0); exit(0); }
