BEGIN { x = 5; x(); }
