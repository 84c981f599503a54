BEGIN { printf("%.**d", 1, 1, 1); }
