BEGIN { @ = lquantize(1, 0, 9); @ = lquantize(1, 0, 10); }
