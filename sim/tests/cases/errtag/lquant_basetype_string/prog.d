BEGIN { @ = lquantize(1, "x", 10); }
