BEGIN { x = 2.; }
