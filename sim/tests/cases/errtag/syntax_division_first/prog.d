BEGIN { x = / 2; }
