BEGIN { x = 1; printf(x); }
