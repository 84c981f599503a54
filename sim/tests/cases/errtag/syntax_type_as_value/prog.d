BEGIN { x = int; }
