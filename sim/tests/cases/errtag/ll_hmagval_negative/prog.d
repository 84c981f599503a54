BEGIN { @ = llquantize(1, 10, 0, -1, 10); }
