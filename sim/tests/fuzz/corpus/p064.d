BEGIN { @ = lquantize(0, 0, 10, 1, -2); @ = lquantize(1, 0, 10, 1, 6); exit(0); }
