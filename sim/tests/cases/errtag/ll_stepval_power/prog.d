BEGIN { @ = llquantize(1, 10, 1, 2, 30); }
