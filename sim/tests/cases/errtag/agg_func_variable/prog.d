BEGIN { x = 1; @a = x; }
