BEGIN { printf("%p", "x"); }
