BEGIN /!(1 == 2)/ { printf("a"); exit(0); }
