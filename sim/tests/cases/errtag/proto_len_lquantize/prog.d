BEGIN { @ = lquantize(1, 2); }
