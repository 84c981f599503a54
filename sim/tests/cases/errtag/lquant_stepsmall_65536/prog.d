BEGIN { @ = lquantize(1, 0, 65536); }
