every(1)
