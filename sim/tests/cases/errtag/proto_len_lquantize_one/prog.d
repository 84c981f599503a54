BEGIN { @ = lquantize(1); }
