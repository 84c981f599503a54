BEGIN { @ = lquantize(); }
