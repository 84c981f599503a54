BEGIN { trace(10 / 0x0); }
