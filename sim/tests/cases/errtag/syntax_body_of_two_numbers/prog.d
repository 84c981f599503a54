BEGIN { trace(0b1); }
