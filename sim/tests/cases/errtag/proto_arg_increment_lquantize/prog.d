BEGIN { @ = lquantize(1, 0, 9, 1, "x"); }
