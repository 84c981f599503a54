BEGIN { x = y ? 1 : 2; }
