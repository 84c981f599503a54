BEGIN { printf("%a", "x"); }
