BEGIN { @ = lquantize(1, 0, 200000, 2); }
