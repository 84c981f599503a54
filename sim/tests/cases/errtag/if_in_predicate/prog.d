BEGIN /if (1) 2/ { }
