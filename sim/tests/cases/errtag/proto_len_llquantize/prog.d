BEGIN { @ = llquantize(1, 2); }
