BEGIN /(6 / 2) == (9 / 3)/ { printf("yes"); exit(0); }
