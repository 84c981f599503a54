BEGIN { @a = lquantize(1, 0x7fffffff, 0x80000000); }
