BEGIN { @a = llquantize("x", 1, 2, 3, 4); }
