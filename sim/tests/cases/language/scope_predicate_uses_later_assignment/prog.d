BEGIN /x == 0/ { x = 1; }
BEGIN /x == 1/ { printf("2"); exit(0); }
