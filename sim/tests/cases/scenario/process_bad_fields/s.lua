-- Of several, always the same one is told.
process{zeta = 1, beta = 2, alpha = 3, gamma = 4, run = print}
