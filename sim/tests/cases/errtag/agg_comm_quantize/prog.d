BEGIN { commit(1); @a = quantize(1); }
