BEGIN { trace(, 1); }
