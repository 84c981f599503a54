BEGIN { do { x = 1; } }
