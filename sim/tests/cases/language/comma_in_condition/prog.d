BEGIN { printf("%d", 1 ? (5, 2) : 3); exit(0); }
