BEGIN { printf("%s", zonename); exit(0); }
