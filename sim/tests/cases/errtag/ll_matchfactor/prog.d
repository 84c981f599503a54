BEGIN { @ = llquantize(1, 10, 0, 1, 10); @ = llquantize(1, 5, 0, 1, 5); }
