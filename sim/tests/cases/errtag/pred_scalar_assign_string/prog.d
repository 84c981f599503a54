BEGIN /s = "a"/ { }
