BEGIN { printf("%T", "x"); }
