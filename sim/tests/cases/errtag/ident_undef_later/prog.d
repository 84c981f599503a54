BEGIN { trace(y); y = 1; }
