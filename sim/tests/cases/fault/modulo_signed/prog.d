BEGIN { x = 0; trace(5 % x); }
ERROR { exit(1); }
