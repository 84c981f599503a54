dtr*:::BEGIN { printf("B"); exit(0); }
