BEGIN { printf("%10d"); }
