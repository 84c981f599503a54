BEGIN { @ = llquantize(1, pid, 0, 1, 10); }
