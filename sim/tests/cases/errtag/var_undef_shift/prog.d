BEGIN { x <<= 1; }
