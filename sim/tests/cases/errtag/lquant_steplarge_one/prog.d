BEGIN { @ = lquantize(1, 0, 5, 6); }
