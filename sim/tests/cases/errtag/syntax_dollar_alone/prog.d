BEGIN { x = $; }
