BEGIN { @ = llquantize(1, 10, 5, 4, 10); }
