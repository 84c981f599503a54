BEGIN { @ = llquantize(1, 10, 0, 1, 10); @ = llquantize(1, 10, 1, 1, 10); }
