BEGIN { x = y; y = 1; }
