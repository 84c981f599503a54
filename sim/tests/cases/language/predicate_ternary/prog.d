BEGIN /1 ? 1 : 0/ { printf("y"); exit(0); }
