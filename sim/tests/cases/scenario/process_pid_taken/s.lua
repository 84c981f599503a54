process{pid = 5, run = print}
process{pid = 5, run = print}
