BEGIN { x++; x.a = 1; }
