BEGIN { x = sizeof; }
