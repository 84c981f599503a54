BEGIN { printf("%."); }
