BEGIN /f(1)/ { }
