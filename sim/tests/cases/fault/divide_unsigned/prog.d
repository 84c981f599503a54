BEGIN { x = 0u; trace(5u / x); }
ERROR { exit(1); }
