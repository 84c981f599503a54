BEGIN { printf("x", 1); }
