BEGIN { x = 1; printa(x); }
