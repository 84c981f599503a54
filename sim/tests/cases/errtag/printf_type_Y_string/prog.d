BEGIN { printf("%Y", "x"); }
