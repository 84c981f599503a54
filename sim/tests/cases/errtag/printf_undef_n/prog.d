BEGIN { printf("%n", 1); }
