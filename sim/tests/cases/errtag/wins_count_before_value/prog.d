BEGIN { stack("x", 1); }
