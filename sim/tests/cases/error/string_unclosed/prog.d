BEGIN { printf("%s", "abc); exit(0); }
