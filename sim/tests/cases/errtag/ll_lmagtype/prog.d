BEGIN { @ = llquantize(1, 10, pid, 1, 10); }
