BEGIN { printf("%ly", 1); }
