BEGIN { x = % 2; }
