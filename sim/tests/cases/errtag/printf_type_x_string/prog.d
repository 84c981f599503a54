BEGIN { printf("%x", execname); }
