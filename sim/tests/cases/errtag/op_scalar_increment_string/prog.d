BEGIN { s = "a"; s++; }
