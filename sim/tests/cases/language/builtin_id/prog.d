BEGIN { printf("%d", id); exit(0); }
