BEGIN { @a = lquantize("x", pid, 2); }
