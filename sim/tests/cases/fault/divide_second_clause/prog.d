BEGIN { x = 0; }
BEGIN { trace(1 / x); }
ERROR { exit(1); }
