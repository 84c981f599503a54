BEGIN { x = 1]; }
