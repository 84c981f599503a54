BEGIN { printf("%s", "a
b"); exit(0); }
