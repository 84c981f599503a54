BEGIN { x |= 2; }
