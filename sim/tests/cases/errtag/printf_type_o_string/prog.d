BEGIN { printf("%o", execname); }
