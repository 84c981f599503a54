BEGIN { printf(pid ? "a" : "-lquantize"); }
