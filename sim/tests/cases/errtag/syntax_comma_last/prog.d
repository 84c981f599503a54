BEGIN { x = 1,; }
