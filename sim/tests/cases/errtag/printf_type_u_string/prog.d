BEGIN { printf("%u", execname); }
