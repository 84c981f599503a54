BEGIN { @ = llquantize(1, 0, 0, 1, 10); }
