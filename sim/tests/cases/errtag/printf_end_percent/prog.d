BEGIN { printf("%"); }
