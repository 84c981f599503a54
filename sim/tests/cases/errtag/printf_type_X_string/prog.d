BEGIN { printf("%X", execname); }
