process{pid = 5, comand = "x", run = print}
