BEGIN { x = 1e3; }
