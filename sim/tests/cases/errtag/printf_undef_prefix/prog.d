BEGIN { printf("%hq", 1); }
