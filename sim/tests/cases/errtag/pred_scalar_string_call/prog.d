BEGIN /strjoin("a", "b")/ { }
