BEGIN { { x = 1; } }
