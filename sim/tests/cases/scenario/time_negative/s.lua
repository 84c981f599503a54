after(-1, print)
