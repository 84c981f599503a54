BEGIN /strlen("x" == 1/ { }
