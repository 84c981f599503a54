BEGIN { @ = llquantize(1, "x", 0, 1, 10); }
