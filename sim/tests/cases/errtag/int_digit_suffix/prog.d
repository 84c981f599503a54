BEGIN { x = 0128u; }
