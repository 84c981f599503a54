BEGIN { x = 1 <<; }
