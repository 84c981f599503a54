BEGIN { x = alloca(-1); }
ERROR { exit(1); }
