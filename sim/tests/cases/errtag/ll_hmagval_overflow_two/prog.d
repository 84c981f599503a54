BEGIN { @ = llquantize(1, 2, 0, 63, 2); }
