BEGIN { @ = lquantize(1, 0, 9, 1, 1, 1); }
