BEGIN { printf("%*s", 5, 1); }
