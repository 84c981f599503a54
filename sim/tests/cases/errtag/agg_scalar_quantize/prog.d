BEGIN { @a = quantize("x"); }
