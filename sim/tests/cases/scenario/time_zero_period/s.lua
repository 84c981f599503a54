every(0, print)
