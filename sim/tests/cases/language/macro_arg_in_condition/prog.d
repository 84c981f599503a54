BEGIN /$1 == 3/ { printf("yes"); exit(0); }
