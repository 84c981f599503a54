BEGIN { @ = lquantize(1, 2147483648, 2147483649); }
