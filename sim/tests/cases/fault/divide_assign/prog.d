BEGIN { x = 0; y = 5; y /= x; }
ERROR { exit(1); }
