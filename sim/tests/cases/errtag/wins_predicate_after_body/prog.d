BEGIN /x == 0/ { x = 1; trace(x); exit(0); }
