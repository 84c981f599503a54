BEGIN { @ = lquantize(1, pid + 1, 10); }
