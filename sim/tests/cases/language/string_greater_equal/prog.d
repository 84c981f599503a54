BEGIN { printf("%d", "b" >= "b"); exit(0); }
