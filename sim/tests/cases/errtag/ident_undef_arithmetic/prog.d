BEGIN { x = y + 1; }
