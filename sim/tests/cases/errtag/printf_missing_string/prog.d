BEGIN { printf("%s"); }
