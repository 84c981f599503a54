BEGIN { @a = lquantize(5, 0, 10); }
END { @a = lquantize(5, 0, 20); }
