BEGIN { x = 1; y = 2; trace(*(char *)16); }
ERROR { exit(1); }
