BEGIN { quantize(1); }
