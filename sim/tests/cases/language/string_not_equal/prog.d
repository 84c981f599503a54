BEGIN { printf("%d", "x" != ""); exit(0); }
