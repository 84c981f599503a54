BEGIN { @ = lquantize(1, -5, 10); @ = lquantize(1, 0, 10); }
