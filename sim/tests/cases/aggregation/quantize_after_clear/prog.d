BEGIN { @a = quantize(100); clear(@a); exit(0); }
