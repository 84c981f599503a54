BEGIN /1 && "a"/ { }
