BEGIN { printf("%i", execname); }
