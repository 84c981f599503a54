BEGIN { printf("%d", 5-$1); exit(0); }
