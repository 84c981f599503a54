BEGIN { x -= 1; }
