BEGIN { x = if (1) 2; }
