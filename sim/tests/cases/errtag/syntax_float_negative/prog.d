BEGIN { x = -3.25; }
