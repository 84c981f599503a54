process{pid = 5}
