BEGIN { @a = lquantize(1, 0, 10); @a = llquantize(1, 10, 0, 1, 10); }
