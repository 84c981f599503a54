BEGIN { s = "a"; s *= 2; }
