BEGIN /1 / 0/ { }
