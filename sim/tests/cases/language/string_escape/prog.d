BEGIN { printf("%s", "a\tb"); exit(0); }
