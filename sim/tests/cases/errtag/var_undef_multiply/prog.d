BEGIN { x *= 2; }
