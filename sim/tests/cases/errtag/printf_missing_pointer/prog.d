BEGIN { printf("%p\n"); }
