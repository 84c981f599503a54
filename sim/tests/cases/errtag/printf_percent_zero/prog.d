BEGIN { printf("%d %0%", 1); }
