BEGIN { @a[1] = lquantize(5, 0, 10); @a[2] = lquantize(5, 0, 20); }
