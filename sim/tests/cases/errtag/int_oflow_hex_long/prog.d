BEGIN { x = 0xfffffffffffffffff; }
