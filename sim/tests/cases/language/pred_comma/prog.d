BEGIN /0, 1/ { printf("yes"); exit(0); }
