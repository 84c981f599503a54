BEGIN { @ = lquantize(1, -1, -10); }
